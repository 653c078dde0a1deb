import { whenIdle } from './when-idle.ts'

/** Registers public/sw.js, which shows a page of its own where no page can be had. Vite's development server has no use for it. */
export async function startServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  await whenIdle()
  // without it everything works but the offline page
  await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined)
}
