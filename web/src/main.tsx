import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preloadPage } from './app/routes.tsx'
import { startFocusRestore } from './lib/restore-focus.ts'
import { canReloadSilently } from './lib/leave-guard.ts'
import { readStored, writeStored } from './lib/storage.ts'
import { registerServiceWorker } from './lib/service-worker.ts'
import { startTheme } from './lib/theme.ts'
import './styles/app.css'

/**
 * After a deployment, an open page requests chunks that no longer exist: reload once, unless that would
 * lose something.
 */
const reloadedKey = 'juno.reloaded-for'
addEventListener('vite:preloadError', (event) => {
  const { message } = event.payload
  if (!navigator.onLine || readStored('session', reloadedKey) === message) return
  if (!canReloadSilently()) return
  // without it the page could reload forever
  if (writeStored('session', reloadedKey, message)) location.reload()
})

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
