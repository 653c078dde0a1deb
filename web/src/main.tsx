import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { preloadPage } from './app/routes.tsx'
import { keepFocus } from './lib/restore-focus.ts'
import { canReloadUnasked } from './lib/leave-guard.ts'
import { readStored, writeStored } from './lib/storage.ts'
import { startServiceWorker } from './lib/service-worker.ts'
import { startTheme } from './lib/theme.ts'
import './styles/app.css'

/** A page that was open during a deployment asks for parts that are gone: one reload brings the new ones, unless it would lose something. */
const reloadedKey = 'juno.reloaded-for'
addEventListener('vite:preloadError', (event) => {
  const { message } = event.payload
  if (!navigator.onLine || readStored('session', reloadedKey) === message) return
  if (!canReloadUnasked()) return
  // without the note it could reload without end
  if (writeStored('session', reloadedKey, message)) location.reload()
})

startTheme()
keepFocus()
void startServiceWorker()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
// until then index.html shows its loading screen
void preloadPage(location.pathname).then(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
