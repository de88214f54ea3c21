import { storeCases } from "./cases.ts";

storeCases();
