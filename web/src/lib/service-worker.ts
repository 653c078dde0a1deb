import { whenIdle } from './when-idle.ts'

/** Registers public/sw.js, which provides the offline page and shows notifications. Not used by Vite's development server. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await whenIdle()
  // without it the page works, but has no offline page and no notifications
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
}
