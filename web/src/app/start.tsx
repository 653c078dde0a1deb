import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startFocusRestore } from '../lib/restore-focus.ts'
import { registerServiceWorker } from '../lib/service-worker.ts'
import { startTheme } from '../lib/theme.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/** Shows the page. */
export function start(): void {
  startTheme()
  startFocusRestore()
  void registerServiceWorker()

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  // index.html shows the loading screen until then
  void preloadPage(location.pathname).then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
