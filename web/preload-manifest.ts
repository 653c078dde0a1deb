import type { Plugin } from 'vite'

/** The modules that each path renders first, as loaded by `preloadPage` in src/app/routes.tsx. */
const entryModules: Readonly<Record<string, readonly string[]>> = {
  '/auth': ['auth-page'],
  '/': ['authenticated-layout', 'main-screen'],
  '/integrations': ['authenticated-layout', 'integrations-screen'],
  '/settings': ['authenticated-layout', 'settings-screen'],
  '/profile': ['authenticated-layout', 'settings-screen'],
  '/files': ['authenticated-layout', 'files-page'],
}

/** Writes the files of each path's page into index.html; public/theme.js preloads them. */
export function preloadManifest(): Plugin {
  return {
    name: 'page-parts',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        const chunks = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? [output] : []))
        const collectFiles = (file: string, found = new Set<string>()): Set<string> => {
          if (found.has(file)) return found
          found.add(file)
          for (const needed of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            collectFiles(needed, found)
          return found
        }
        const parts = Object.entries(entryModules).map(([path, names]) => {
          const files = names.flatMap((name) => {
            const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${name}.tsx`)))
            if (!chunk) throw new Error(`no chunk contains ${name}.tsx`)
            return [...collectFiles(chunk.fileName)]
          })
          // index.html loads these already
          return [path, [...new Set(files)].map((file) => `/${file}`).filter((file) => !html.includes(file))]
        })
        const content = JSON.stringify(Object.fromEntries(parts))
        // before the script that reads it, but after the charset, which must be in the first bytes
        return html.replace(
          '<script src="/theme.js">',
          () => `<meta name="page-parts" content='${content}' />\n    <script src="/theme.js">`,
        )
      },
    },
  }
}
