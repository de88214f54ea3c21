// npm run pictures: draws the benchmark's figures from its JSON files, without measuring again.
import { names, writePictures } from "./pictures/all.ts";

for (const name of names) await writePictures(name);
