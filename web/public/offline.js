// The offline page loads what was asked for as soon as the browser is online again, as browsers' own pages do.
addEventListener('online', () => location.reload())
