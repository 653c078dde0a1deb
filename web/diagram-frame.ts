import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { diagramFramePath } from '#shared/diagram-frame.ts'

const root = fileURLToPath(new URL('diagram', import.meta.url))

/**
 * Builds the document that draws diagrams into a folder of its own. It shares no file with the page, as it
 * runs in an iframe without an origin.
 */
export function diagramFrame(plugins: Plugin[]): Plugin {
  return {
    name: 'diagram-frame',
    apply: 'build',
    async writeBundle({ dir }) {
      if (dir === undefined) return
      await build({
        root,
        base: diagramFramePath,
        configFile: false,
        publicDir: false,
        plugins,
        logLevel: 'warn',
        worker: { format: 'iife', plugins: () => plugins },
        build: {
          rolldownOptions: {
            input: ['index.html', 'chart.html'].map((file) => join(root, file)),
          },
          // the tooltip's colours use light-dark(), which is rewritten into something that needs a style sheet for older targets
          cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
          outDir: join(dir, diagramFramePath),
          emptyOutDir: true,
          reportCompressedSize: false,
          // mermaid has one chunk per kind of diagram
          chunkSizeWarningLimit: 2000,
        },
      })
    },
  }
}
