// The service worker. It answers one thing itself: a page that was asked for and cannot be had, with the offline page. Nothing else goes through
// it, and nothing else is ever stored: no answer of the API, no part of the app.
const offline = '/offline.html'
const cacheName = 'offline-page'

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) => cache.add(new Request(offline, { cache: 'reload' })))
      .then(() => skipWaiting()),
  )
})

addEventListener('activate', (event) => {
  // the page is asked for while this starts, so that it costs no time
  event.waitUntil(
    Promise.all([registration.navigationPreload && registration.navigationPreload.enable(), clients.claim()]),
  )
})

addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(answer(event))
})

async function answer(event) {
  try {
    return (await event.preloadResponse) || (await fetch(event.request))
  } catch (error) {
    const page = await caches.match(offline, { cacheName })
    if (page) return page
    throw error
  }
}

// A notification leads to the tab that it is about.
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data))
})

async function show(address) {
  const windows = await clients.matchAll({ type: 'window' })
  const found = windows.find(({ url }) => url === address)
  return found ? found.focus() : clients.openWindow(address)
}
