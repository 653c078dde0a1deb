import { existsSync, writeFileSync } from 'node:fs'
import {
  catalogueFile,
  collectTranslatable,
  listLanguages,
  readCatalogue,
} from '../web/translation/catalogues.ts'
import { findProblems } from './catalogue-problems.ts'

/**
 * Brings the catalogues in line with the messages of the page: new ones are added without a translation, and those that are gone are
 * removed. Then lists what is wrong or missing.
 *
 *   npm run translations               all languages
 *   npm run translations -- de fr      these; creates a catalogue that does not exist
 */

const languages = process.argv.slice(2)
const translatable = collectTranslatable()
for (const language of languages.length > 0 ? languages : listLanguages()) {
  const file = catalogueFile(language)
  const old = existsSync(file) ? readCatalogue(language) : {}
  const catalogue = Object.fromEntries([...translatable.keys].map((key) => [key, old[key] ?? '']))
  writeFileSync(file, `${JSON.stringify(catalogue, undefined, 2)}\n`)
  const problems = findProblems(translatable, language, catalogue)
  for (const problem of problems) console.log(`${language}: ${problem}`)
  console.log(`${language}: ${translatable.keys.size} messages, ${problems.length} to do`)
}
