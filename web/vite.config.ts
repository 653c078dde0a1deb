import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { pageParts } from './page-parts.ts'

export default defineConfig({
  plugins: [react(), tailwindcss(), pageParts()],
  build: {
    manifest: true,
    // the themes are light-dark(): older targets would have it rewritten into something slower
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // in one file each they compress better: 3 KB less on the first page
          groups: [
            { name: 'router', test: /react-router/ },
            { name: 'query', test: /@tanstack/ },
            // what every page has, and what the conversation shares with the parts of it that load later
            {
              name: 'shell',
              test: /components\/(ui\/(icon-button|mark|spinner|tooltip)|page-frame)\.|lib\/(api-errors|call-api|config|when-idle)\./,
            },
            {
              name: 'conversation',
              test: /features\/chat\/(chat-failure|reconnect-context|tools\/running-tools)\.|shared\/file-kinds\./,
            },
          ],
        },
      },
    },
    // a font inside a style sheet would be refused by the content security policy
    assetsInlineLimit: (file) => (/\.woff2?$|\.ttf$/.test(file) ? false : undefined),
  },
})
