// Hocuspocus with its defaults: documents are in memory only, as no extension stores them.
import { Server } from "@hocuspocus/server";

const { HOST: address = "127.0.0.1", PORT = "" } = process.env;
await new Server({ address, port: Number(PORT), quiet: true }).listen();
