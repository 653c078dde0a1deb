// The service worker. If a page cannot be loaded, it serves the offline page; and it shows what the service has to tell.
// It stores nothing else, neither API responses nor parts of the app.
const offlinePage = '/offline.html'
const offlineScript = '/offline.js'
const cacheName = 'offline-page'

// The texts of the offline page, which is English, in the other languages of the product, and the direction if it is not from left to right.
const texts = {
  de: [
    'Keine Verbindung',
    'Diese Seite war nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es dann erneut.',
    'Erneut versuchen',
  ],
  fr: ['Pas de connexion', 'Cette page est injoignable. Vérifiez la connexion, puis réessayez.', 'Réessayer'],
  es: [
    'Sin conexión',
    'No se pudo acceder a esta página. Comprueba la conexión e inténtalo de nuevo.',
    'Intentar de nuevo',
  ],
  pt: [
    'Sem conexão',
    'Não foi possível acessar esta página. Verifique a conexão e tente novamente.',
    'Tentar novamente',
  ],
  ja: [
    '接続がありません',
    'このページにアクセスできませんでした。接続を確認してから、もう一度お試しください。',
    'もう一度試す',
  ],
  ar: [
    'لا يوجد اتصال',
    'تعذّر الوصول إلى هذه الصفحة. تحقّق من الاتصال، ثم حاول مرة أخرى.',
    'المحاولة مرة أخرى',
    'rtl',
  ],
}

addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(cacheName)
      .then((cache) =>
        cache.addAll([offlinePage, offlineScript].map((path) => new Request(path, { cache: 'reload' }))),
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
  if (new URL(event.request.url).pathname === offlineScript)
    event.respondWith(
      caches.match(offlineScript, { cacheName }).then((stored) => stored || fetch(event.request)),
    )
})

async function respondTo(event) {
  try {
    return await fetch(event.request)
  } catch (error) {
    const page = await caches.match(offlinePage, { cacheName })
    if (page) return translate(page)
    throw error
  }
}

/** The offline page in the first language of the browser that the product has. */
async function translate(page) {
  const language = navigator.languages
    .map((tag) => tag.split('-')[0])
    .find((one) => one === 'en' || Object.hasOwn(texts, one))
  if (!Object.hasOwn(texts, language)) return page
  const [title, text, again, direction = 'ltr'] = texts[language]
  const html = (await page.text())
    .replace('lang="en"', `lang="${language}" dir="${direction}"`)
    .replaceAll('No connection', title)
    .replace('This page could not be reached. Check the connection, then try again.', text)
    .replace('Try again', again)
  return new Response(html, { headers: page.headers })
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
