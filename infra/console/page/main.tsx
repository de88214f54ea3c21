// The entry of the console's page.
import { render } from "preact";
import "./main.css";

render(
  <main>
    <h1>Console</h1>
    <p>
      <a href="/docs">Reference</a>
    </p>
  </main>,
  document.body,
);
