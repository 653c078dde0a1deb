import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import type { AuthState } from '../features/auth/auth-context.ts'
import { loadAuthState } from '../features/auth/auth-state.ts'
import { startTheme } from '../lib/browser/theme.ts'
import { whenIdle } from '../lib/browser/when-idle.ts'
import { App } from './app.tsx'
import { preloadPage } from './routes.tsx'

/** Registers public/sw.js, which provides the offline page and shows notifications. Not used by Vite's development server. */
async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await whenIdle()
  // without it the page works, but has no offline page and no notifications
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
}

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
