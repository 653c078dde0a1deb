import type { Plugin } from 'vite'

/** The modules that each address shows first, as `preloadPage` in src/app/routes.tsx loads them. */
const modules: Readonly<Record<string, readonly string[]>> = {
  '/auth': ['auth-page'],
  '/': ['authenticated-layout', 'main-screen'],
  '/integrations': ['authenticated-layout', 'integrations-screen'],
  '/settings': ['authenticated-layout', 'settings-screen'],
  '/profile': ['authenticated-layout', 'settings-screen'],
  '/files': ['authenticated-layout', 'files-page'],
}

/** Writes into index.html which files make up the page of each address, for public/theme.js, which asks for them at once. */
export function pageParts(): Plugin {
  return {
    name: 'page-parts',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!bundle) return html
        const chunks = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? [output] : []))
        const withImports = (file: string, known = new Set<string>()): Set<string> => {
          if (known.has(file)) return known
          known.add(file)
          for (const needed of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            withImports(needed, known)
          return known
        }
        const parts = Object.entries(modules).map(([path, names]) => {
          const files = names.flatMap((name) => {
            const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${name}.tsx`)))
            if (!chunk) throw new Error(`no part of the build has ${name}.tsx`)
            return [...withImports(chunk.fileName)]
          })
          // what index.html asks for already
          return [path, [...new Set(files)].map((file) => `/${file}`).filter((file) => !html.includes(file))]
        })
        const content = JSON.stringify(Object.fromEntries(parts))
        // before the script that reads it, and not before the encoding, which belongs to the first bytes
        return html.replace(
          '<script src="/theme.js">',
          () => `<meta name="page-parts" content='${content}' />\n    <script src="/theme.js">`,
        )
      },
    },
  }
}
