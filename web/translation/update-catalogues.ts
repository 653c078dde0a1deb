import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectKeys, findProblems, listLanguages } from './catalogues.ts'

/**
 * Brings the catalogues in line with the messages of the page: new ones are added without a translation, and those that are gone are
 * removed. Then lists what is wrong or missing.
 *
 *   npm run translations               all languages
 *   npm run translations -- de fr      these; creates a catalogue that does not exist
 */

const languages = process.argv.slice(2)
const folder = join(import.meta.dirname, '../src/languages')
const keys = collectKeys()
for (const language of languages.length > 0 ? languages : listLanguages()) {
  const file = join(folder, `${language}.json`)
  const old = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  const catalogue = Object.fromEntries(keys.map((key) => [key, old[key] ?? '']))
  writeFileSync(file, `${JSON.stringify(catalogue, undefined, 2)}\n`)
  const problems = findProblems(language, catalogue)
  for (const problem of problems) console.log(`${language}: ${problem}`)
  console.log(`${language}: ${keys.length} messages, ${problems.length} to do`)
}
