import { trimCharacters } from '#shared/trim-characters.ts'

const maxCharacters = 200
const maxExtension = 20
/** the ends of a longer name that are read: the rest is cut anyway */
const maxRead = { start: 2_000, end: 100 }

/** Dots and blanks at an end: hidden files, and names that Windows refuses. */
const trimDots = (name: string) => trimCharacters(name, (character) => character === '.' || character === ' ')

/** Emoji of several people, and letters of Persian and Hindi, need their joiners; others hide something. */
const joined = String.raw`\p{M}\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}`
const looseJoiners = new RegExp(`(?<![${joined}])[\u200c\u200d]|[\u200c\u200d](?![${joined}])`, 'gu')

/**
 * Sanitizes a file name for display and storage: no folders, no control characters, nothing that changes the direction of
 * text (`gpj.exe` must not read as `exe.jpg`), at most 200 characters including the extension.
 * @returns at least 'file'
 */
export function sanitizeFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
  const { start, end } = maxRead
  const read = base.length > start + end ? `${base.slice(0, start)}${base.slice(-end)}` : base
  const withoutMarks = read
    // control and format characters: bidirectional overrides, zero-width ones, line separators
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu, '')
    .replace(looseJoiners, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
  const cleaned = trimDots(withoutMarks)
  if (cleaned === '') return 'file'
  const characters = Array.from(cleaned)
  if (characters.length <= maxCharacters) return cleaned
  const dot = characters.lastIndexOf('.')
  const extension = dot > 0 && characters.length - dot <= maxExtension ? characters.slice(dot) : []
  const shortened = [...characters.slice(0, maxCharacters - extension.length), ...extension].join('')
  // the cut may have left one
  return trimDots(shortened.replace(looseJoiners, ''))
}

/** A name from a place where a slash is no sign of a folder. Google Drive's own downloads have an underscore for it. */
export const replaceSlashes = (name: string): string => name.replaceAll(/[/\\]/g, '_')

/** Builds a Content-Disposition header with an ASCII name, and the whole name for browsers that support `filename*`. */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
