import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { builtInCatalogue } from './built-in-catalogue.ts'
import { chunkOf } from './chunk-names.ts'
import { diagramFrame } from './diagram-frame.ts'
import { pageParts } from './preload-manifest.ts'
import { unusedEnums } from './unused-enums.ts'

export default defineConfig({
  plugins: [react(), tailwindcss(), pageParts(), builtInCatalogue(), unusedEnums(), diagramFrame()],
  build: {
    manifest: true,
    // the themes are light-dark(): older targets would have it rewritten into something slower
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // a group that is split is named after all that share it
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // what every page has, the icons of its forms and of the chat among it, and what the parts of it that load later share with it
            {
              name: 'shell',
              test: /lucide-react\/.*\/icons\/(arrow-down|arrow-up|circle-exclamation-point|eye|eye-off|flask-conical|info|layout-grid|mail|panel-left|paperclip|sparkles|wifi-off|x)\.|react-router|@tanstack|components\/(ui\/(icon-button|logo|skeleton|spinner|tooltip)|page-frame)\.|lib\/(announce|api-errors|call-api|config|create-store|online|query-client|storage|use-media-query|when-idle)\./,
            },
            {
              name: 'icons',
              test: /lucide-react/,
              entriesAware: true,
              entriesAwareMergeThreshold: 5_000,
            },
            { name: chunkOf(), debugName: 'first pages', includeDependenciesRecursively: false },
          ],
        },
      },
    },
    // a font inside a style sheet would be refused by the content security policy
    assetsInlineLimit: (file) => (/\.woff2?$|\.ttf$/.test(file) ? false : undefined),
  },
})
