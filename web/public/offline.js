// The offline page is English; theme.js has found the language that was chosen, or the browser's.
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
  'pt-BR': [
    'Sem conexão',
    'Não foi possível acessar esta página. Verifique a conexão e tente novamente.',
    'Tentar novamente',
  ],
  ja: [
    '接続がありません',
    'このページにアクセスできませんでした。接続を確認してから、もう一度お試しください。',
    'もう一度試す',
  ],
  ar: ['لا يوجد اتصال', 'تعذّر الوصول إلى هذه الصفحة. تحقّق من الاتصال، ثم حاول مرة أخرى.', 'المحاولة مرة أخرى'],
}
const translation = texts[document.documentElement.lang]
if (translation) {
  const [title, text, again] = translation
  document.title = title
  document.querySelector('h1').textContent = title
  document.querySelector('p').textContent = text
  document.querySelector('a').textContent = again
}

// The offline page loads what was asked for as soon as the site answers again, as browsers' own pages do.
let isLoading = false
async function tryAgain() {
  const { ok } = await fetch('/config.json', { cache: 'no-store' }).catch(() => ({ ok: false }))
  // what takes long to load would begin anew
  if (!ok || isLoading) return
  isLoading = true
  location.reload()
}
addEventListener('online', () => void tryAgain())
// the connection may have come back before this script, or may have been there all along
setInterval(() => void tryAgain(), 5_000)
