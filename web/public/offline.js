// The offline page loads what was asked for as soon as the site answers again, as browsers' own pages do.
async function tryAgain() {
  const { ok } = await fetch('/config.json', { cache: 'no-store' }).catch(() => ({ ok: false }))
  if (ok) location.reload()
}
addEventListener('online', () => void tryAgain())
// the connection may have come back before this script, or may have been there all along
setInterval(() => void tryAgain(), 5_000)
