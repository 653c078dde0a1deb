import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { loadAuthState } from '../features/auth/auth-provider.tsx'
import { startFocusRestore } from '../lib/restore-focus.ts'
import { registerServiceWorker } from '../lib/service-worker.ts'
import { startTheme } from '../lib/theme.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/** How long the first render waits for the sign-in, in ms; index.html shows the loading screen until then. */
const authWaitMs = 300

/** Shows the page. */
export function start(): void {
  startTheme()
  startFocusRestore()
  void registerServiceWorker()

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  const timer = new Promise<undefined>((resolve) => setTimeout(resolve, authWaitMs))
  const auth = Promise.race([loadAuthState(), timer])
  void Promise.all([auth, preloadPage(location.pathname)]).then(([initialAuth]) =>
    createRoot(root).render(
      <StrictMode>
        <App {...(initialAuth && { initialAuth })} />
      </StrictMode>,
    ),
  )
}
