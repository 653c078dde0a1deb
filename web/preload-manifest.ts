import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { minify, type Plugin } from 'vite'
import { listLanguages } from './translation/catalogues.ts'
import { catalogueModule } from './translation/plugin.ts'

/** The modules that each path renders first, as loaded by `preloadPage` in src/app/routes.tsx. */
const entryModules: Readonly<Record<string, readonly string[]>> = {
  '/auth': ['auth-page'],
  '/': ['authenticated-layout', 'main-screen'],
  '/integrations': ['authenticated-layout', 'integrations-screen'],
  '/settings': ['authenticated-layout', 'settings-screen'],
  '/profile': ['authenticated-layout', 'settings-screen'],
  '/files': ['authenticated-layout', 'files-page'],
}

const configLink = / *<link rel="preload" href="\/config\.json"[^>]*>\n/

/** What the entry loads as soon as it has the texts of the page's language. */
const startModule = '/app/start.tsx'

/** Writes the files of each path's page, and of each language, into index.html; public/theme.js preloads them. */
export function preloadManifest(): Plugin {
  let themeScript = ''
  return {
    name: 'page-parts',
    apply: 'build',
    configResolved({ root, build }) {
      themeScript = resolve(root, build.outDir, 'theme.js')
    },
    // files of public/ are copied as they are, and this one is a part of the first load
    async closeBundle() {
      const { code } = await minify('theme.js', await readFile(themeScript, 'utf8'))
      await writeFile(themeScript, code)
    },
    transformIndexHtml: {
      order: 'post',
      handler(page, { bundle }) {
        if (!bundle) return page
        const chunks = Object.values(bundle).flatMap((output) => (output.type === 'chunk' ? [output] : []))
        const collectFiles = (file: string, found = new Set<string>()): Set<string> => {
          if (found.has(file)) return found
          found.add(file)
          for (const needed of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            collectFiles(needed, found)
          return found
        }
        const findChunk = (moduleEnd: string) => {
          const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(moduleEnd)))
          if (!chunk) throw new Error(`no chunk contains ${moduleEnd}`)
          return chunk.fileName
        }
        const startFiles = [...collectFiles(findChunk(startModule))].filter((file) => !page.includes(file))
        const links = startFiles.map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
        // scripts come first: over HTTP/1.1 a seventh request waits for one of six, and the settings are needed after the scripts
        const config = configLink.exec(page)?.[0]
        if (config === undefined) throw new Error('index.html does not preload /config.json')
        const html = page
          .replace(config, '')
          .replace('  </head>', () => `${links.join('')}${config}  </head>`)
        const parts = Object.entries(entryModules).map(([path, names]) => {
          const files = names.flatMap((name) => [...collectFiles(findChunk(`/${name}.tsx`))])
          // index.html loads these already
          return [path, [...new Set(files)].map((file) => `/${file}`).filter((file) => !html.includes(file))]
        })
        const catalogues = listLanguages().map((language) => [
          language,
          [...collectFiles(findChunk(`${catalogueModule}${language}`))]
            .map((file) => `/${file}`)
            .filter((file) => !html.includes(file)),
        ])
        const content = JSON.stringify(Object.fromEntries([...parts, ...catalogues]))
        // before the script that reads it, but after the charset, which must be in the first bytes
        return html.replace(
          '<script src="/theme.js">',
          () => `<meta name="page-parts" content='${content}' />\n    <script src="/theme.js">`,
        )
      },
    },
  }
}
