// The service worker. If a page cannot be loaded, it serves the offline page; and it shows what the service has to tell.
// It stores nothing else, neither API responses nor parts of the app.
const offlinePage = '/offline.html'
// the scripts that the page names, with a copy of the one that finds language and theme
const offlineScripts = ['/theme.js?offline', '/offline.js']
const cacheName = 'offline-page'

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) =>
        cache.addAll([offlinePage, ...offlineScripts].map((path) => new Request(path, { cache: 'reload' }))),
      )
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
  const { pathname, search } = new URL(event.request.url)
  if (offlineScripts.includes(pathname + search))
    event.respondWith(
      caches.match(pathname + search, { cacheName }).then((stored) => stored || fetch(event.request)),
    )
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

// A message of the service about a conversation: it replaces an earlier one about the same.
addEventListener('push', (event) => {
  const { title = '', body = '', tag, path, language } = readMessage(event.data)
  const options = {
    body,
    tag,
    lang: language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    icon: '/icons/icon-192.png',
    data: readAddress(path),
  }
  // browsers take the subscription from a worker that shows nothing
  event.waitUntil(registration.showNotification(title, options))
})

function readMessage(data) {
  try {
    return Object(data.json())
  } catch {
    return {}
  }
}

/** A page of the product; its first one for everything else. */
function readAddress(path) {
  const home = new URL('/', location.origin)
  try {
    const address = new URL(path ?? '', home)
    return address.origin === home.origin ? address.href : home.href
  } catch {
    return home.href
  }
}

// The worker has no token: the next page tells the service of the new subscription.
addEventListener('pushsubscriptionchange', (event) => {
  const options = event.oldSubscription && event.oldSubscription.options
  if (options && !event.newSubscription) event.waitUntil(registration.pushManager.subscribe(options))
})

// A click on a notification focuses its tab, or opens the page again.
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(focusOrOpen(event.notification.data))
})

async function focusOrOpen(address) {
  const windows = await clients.matchAll({ type: 'window' })
  const existing = windows.find(({ url }) => url === address)
  if (existing) return existing.focus()
  // another page of the product may have something that is not saved: it stays as it is
  return clients.openWindow(address)
}
