import { storeCases } from "../../support/engine/cases.ts";

storeCases();
