import "./app/base-styles.ts";
import "./app/ground.css";
import { localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { App } from "./app/app.tsx";
import { theme, toCssVariables } from "./app/theme.ts";
import { Api } from "./lib/api.ts";
import { Arrivals } from "./lib/arrivals.ts";
import { EventStream } from "./lib/event-stream.ts";
import { openWords } from "./lib/i18n.ts";
import { PageHistory } from "./lib/page-history.ts";
import { createQueryClient } from "./lib/query-client.ts";
import { ServiceWords } from "./lib/service-words.ts";
import { ServicesContext } from "./lib/services.tsx";
import { SessionKeeper } from "./lib/session.ts";

/** What this page's styles may be written with. */
const nonce = document.querySelector<HTMLElement>("meta[property=csp-nonce]")?.nonce ?? "";
// Where a dialog keeps the page behind it from scrolling.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const schemes = localStorageColorSchemeManager({ key: "waypost.scheme" });
const sessions = new SessionKeeper();
const words = await openWords();
const said = new ServiceWords(words);
const api = new Api(sessions, said);
const events = new EventStream(api);
const pages = new PageHistory();
const services = { api, sessions, events, pages, arrivals: new Arrivals(pages), said };
const queries = createQueryClient();
// What one account has seen is not for the next. Whose session has expired may come back.
let account = sessions.current()?.email;
sessions.subscribe(() => {
  const email = sessions.current()?.email;
  if (email === account || sessions.end === "expired") return;
  queries.clear();
  account = email;
});
// Pages of those who are signed in show what the service says, and not only when it refuses.
if (account !== undefined) void said.prepare();

const root = document.querySelector("#root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={toCssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <I18nextProvider i18n={words}>
        <ServicesContext value={services}>
          <QueryClientProvider client={queries}>
            <App />
          </QueryClientProvider>
        </ServicesContext>
      </I18nextProvider>
    </MantineProvider>
  </StrictMode>,
);
