import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { requireBuildablePath } from './buildable-path.ts'
import { builtInCatalogue } from './built-in-catalogue.ts'
import { createChunkNamers } from './chunk-names.ts'
import { commonPasswords } from './common-passwords.ts'
import { diagramFrame } from './diagram-frame.ts'
import { pageRoutes } from './page-routes.ts'
import { preloadManifest } from './preload-manifest.ts'
import { translation } from './translation/plugin.ts'
import { thirdPartyLicences } from './third-party-licences.ts'

requireBuildablePath(import.meta.dirname)
const chunkNamers = createChunkNamers()
/** Modules that several parts load, without what they import. */
const shared = { minShareCount: 2, includeDependenciesRecursively: false }
const licences = thirdPartyLicences()

export default defineConfig({
  plugins: [
    translation(),
    react(),
    tailwindcss(),
    preloadManifest(),
    builtInCatalogue(),
    pageRoutes(),
    commonPasswords(),
    diagramFrame([licences.collect]),
    licences.collect,
    licences.write,
  ],
  worker: { plugins: () => [licences.collect] },
  build: {
    manifest: true,
    // the themes use light-dark(), which would be rewritten into something slower for older targets
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    // names of files do not compress, and most of what a part shares with others has been loaded before
    modulePreload: false,
    rolldownOptions: {
      optimization: { inlineConst: true },
      output: {
        // a split group is named after everything that shares it
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            // it is loaded before modules with texts, so no such module may be in its chunk
            { name: 'translate-code', test: /text\/translate-code\.|sentences\/format-sentence\./ },
            { name: chunkNamers.entry, debugName: 'entry' },
            { name: chunkNamers.page, debugName: 'page' },
            { name: chunkNamers.common, debugName: 'common' },
            { name: 'chat', test: /src\/app\/(authenticated-layout|main-screen)\./ },
            { ...shared, name: chunkNamers.forms, debugName: 'forms' },
            { ...shared, name: chunkNamers.parts, debugName: 'parts' },
          ],
        },
      },
    },
    // the content security policy forbids inlined fonts
    assetsInlineLimit: (file) => (/\.woff2?$|\.ttf$/.test(file) ? false : undefined),
  },
})
