import type { Plugin } from 'vite'
import { routePath, routes, type Route } from '#shared/routes.ts'

const toCall = ({ path, method, access }: Route) => {
  // an administrator's request is like a user's
  const values = [path, method, access === 'admin' ? 'user' : access]
  if (values.at(-1) === 'user') values.pop()
  if (values.at(-1) === 'GET') values.pop()
  return `route(${values.map((value) => JSON.stringify(value)).join()})`
}

/** Keeps of the table of routes what a request needs: the first page has all of it. */
export function pageRoutes(): Plugin {
  return {
    name: 'page-routes',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/shared\/routes\.ts$/ },
      handler: () => ({
        code: `const route = (path, method = 'GET', access = 'user') => ({ path, method, access })
          export const routes = { ${Object.entries(routes)
            // alike beside alike compresses better
            .toSorted(([, a], [, b]) => a.path.localeCompare(b.path, 'en'))
            .map(([name, route]) => `${JSON.stringify(name)}: ${toCall(route)}`)
            .join()} }
          export ${routePath.toString()}`,
        map: null,
      }),
    },
  }
}
