// The entry of the console's page.
import { render } from "preact";
import { App } from "./app.tsx";
import { startClock } from "./format.ts";
import { keepKey } from "./key.ts";
import { followTheme } from "./theme.ts";
import "./styles/base.css";
import "./styles/layout.css";
import "./styles/parts.css";
import "./styles/content.css";
import "./styles/reference.css";

keepKey();
followTheme();
startClock();
render(<App />, document.getElementById("app") as HTMLElement);
