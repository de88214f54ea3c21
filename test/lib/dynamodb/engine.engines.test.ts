import { storeCases, unitCases } from "../../support/engine/cases.ts";

storeCases();
unitCases();
