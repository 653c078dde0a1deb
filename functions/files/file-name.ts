const maxCharacters = 200
const maxExtension = 20

/**
 * A name that is safe to show and to save under: no folders, no control characters, nothing that turns the direction of
 * writing (a name like `gpj.exe` must not read as `exe.jpg`), at most 200 characters with its extension kept.
 * @param name as the browser sends it
 * @returns at least 'file'
 */
export function safeFileName(name: string): string {
  const bare = (name.split(/[/\\]/).at(-1) ?? '')
    // control and format characters: bidirectional overrides, zero-width ones, line separators
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  if (bare === '') return 'file'
  const letters = Array.from(bare)
  if (letters.length <= maxCharacters) return bare
  const point = letters.lastIndexOf('.')
  const extension = point > 0 && letters.length - point <= maxExtension ? letters.slice(point) : []
  const cut = [...letters.slice(0, maxCharacters - extension.length), ...extension].join('')
  return cut.replace(/[. ]+$/, '')
}

/** A Content-Disposition in Latin-1 that gives every letter of the name to browsers that can take it. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
