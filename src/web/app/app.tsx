import { Route, Router, Switch } from "wouter";
import { useServices } from "../lib/services.tsx";
import { FreshSystem } from "../set-up/fresh-system.tsx";
import { NotFound } from "./not-found.tsx";
import { PageRoute, routedPages } from "./page-route.tsx";
import { Shell } from "./shell.tsx";

export function App() {
  const { pages } = useServices();
  return (
    <Router hook={pages.useLocation} searchHook={pages.useSearch}>
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
    </Router>
  );
}
