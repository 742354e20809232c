import { Route, Switch } from "wouter";
import { FreshSystem } from "../set-up/fresh-system.tsx";
import { NotFound } from "./not-found.tsx";
import { PageRoute, routedPages } from "./page-route.tsx";
import { Shell } from "./shell.tsx";

export function App() {
  return (
    <Shell>
      <FreshSystem />
      <Switch>
        {routedPages.map((each) => (
          <Route key={each.page.path} path={each.page.path}>
            <PageRoute {...each} />
          </Route>
        ))}
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Shell>
  );
}
