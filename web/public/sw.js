// The service worker. It handles navigation only: if a page cannot be loaded, it serves the offline page.
// It stores nothing else, neither API responses nor parts of the app.
const offlinePage = '/offline.html'
const cacheName = 'offline-page'

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.add(new Request(offlinePage, { cache: 'reload' })))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  // without navigation preload: Firefox 153 shows its own error page when a preload fails, whatever the worker answers
  const { navigationPreload } = registration
  event.waitUntil(Promise.all([navigationPreload && navigationPreload.disable(), clients.claim()]))
})

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(respondTo(event))
})

async function respondTo(event) {
  try {
    return await fetch(event.request)
  } catch (error) {
    const page = await caches.match(offlinePage, { cacheName })
    if (page) return page
    throw error
  }
}

// A click on a notification focuses its tab, or opens the page again.
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(focusOrOpen(event.notification.data))
})

async function focusOrOpen(address) {
  const windows = await clients.matchAll({ type: 'window' })
  const existing = windows.find(({ url }) => url === address)
  return existing ? existing.focus() : clients.openWindow(address)
}
