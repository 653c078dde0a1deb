import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { AuthState } from '../features/auth/auth-context.ts'
import { loadAuthState } from '../features/auth/auth-state.ts'
import { registerServiceWorker } from '../lib/service-worker.ts'
import { startTheme } from '../lib/theme.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/** How long the first render waits for the sign-in, without which it is the loading screen that index.html shows until then. */
const authWaitMs = 300

/** Shows the page. */
export function start(): void {
  startTheme()
  void registerServiceWorker()

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  let initialAuth: AuthState | undefined
  const loadingAuth = loadAuthState().then(
    (state) => {
      initialAuth = state
    },
    // the page is shown all the same, and reads it again
    () => undefined,
  )
  const timer = new Promise<void>((resolve) => setTimeout(resolve, authWaitMs))
  void Promise.all([preloadPage(location.pathname), Promise.race([loadingAuth, timer])]).then(() =>
    createRoot(root).render(
      <StrictMode>
        <App {...(initialAuth && { initialAuth })} />
      </StrictMode>,
    ),
  )
}
