import { whenIdle } from './when-idle.ts'

/** Registers public/sw.js, which provides the offline page. Not used by Vite's development server. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await whenIdle()
  // only the offline page depends on it
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
}
