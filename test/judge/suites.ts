import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDocument } from '../../functions/documents/readers.ts'
import type { Report } from './report.ts'

/** What the other reader has and the product rightly has not, or has in another order. */
const explained: Readonly<Record<string, string>> = {
  'pypdf-AutoCad_Diagram.pdf': 'the slash between the words is a text of its own',
  'pypdf-imagemagick-images.pdf': 'drawn above the edge of the page',
  'pypdf-issue-301.pdf': 'scattered letters of a scan, in another order',
  'pypdf-r5-user-password.pdf': 'needs its password, which pdfplumber does not ask for',
  'pypdf-r6-user-password.pdf': 'needs its password, which pdfplumber does not ask for',
}

const squash = (text: string) => text.normalize('NFKC').replaceAll(/[\s\u00ad\u2010^_~-]/g, '')
const reverse = (text: string) => Array.from(text).toReversed().join('')

/** @returns words of the other reader that the text does not have, in either direction */
function findMissing(words: readonly string[], text: string): string[] {
  // addresses of links stand between words
  const texts = [text, text.replaceAll(/ \((?:https?|mailto):[^)\s]*\)/g, '')].map(squash)
  return words.filter((word) => {
    const wanted = squash(word)
    const isText = wanted.length > 1 && !wanted.includes('(cid:')
    return isText && !texts.some((one) => one.includes(wanted) || one.includes(reverse(wanted)))
  })
}

/**
 * Documents in the test suites of other libraries: every word that another reader has is in the product's text, and the product had to give
 * no page without its layout.
 * @param folder where `files/suites.py` has written
 */
export async function judgeSuites(report: Report, folder: string): Promise<void> {
  const all = JSON.parse(readFileSync(join(folder, 'words.json'), 'utf8')) as Record<string, string[] | null>
  const counts = { files: 0, words: 0, refused: 0 }
  // pdf.js warns of fonts, which reading text does not need
  console.log = console.warn = () => undefined
  for (const [file, words] of Object.entries(all)) {
    if (words === null) continue
    const kind = file.endsWith('.pdf') ? 'pdf' : 'word'
    const read = await readDocument(kind, new Uint8Array(readFileSync(join(folder, file)))).catch(
      () => undefined,
    )
    if (read) counts.files += 1
    else counts.refused += 1
    counts.words += words.length
    const missing = findMissing(words, read?.text ?? '')
    const reason = explained[file]
    if (read?.pages?.plain) report.fail(file, `pages ${String(read.pages.plain)} are without their layout`)
    if (missing.length > 0 && reason === undefined)
      report.fail(file, `without ${missing.slice(0, 10).join(' | ')}`.slice(0, 400))
    else if (missing.length > 0)
      report.tell(`        ${file} without ${missing.slice(0, 5).join(' | ')}: ${reason}`)
  }
  if (counts.files < 60) return report.skip('suites of others', 'pip could not download the sources.')
  report.pass(
    `suites of others: ${counts.words} words of ${counts.files} files are in the text, ${counts.refused} are refused`,
  )
}
