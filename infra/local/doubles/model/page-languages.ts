import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../../web/src/languages')

/** Reads the English texts of the page by their translations: the prompts that it offers among them. */
const readEnglishTexts = () =>
  new Map(
    readdirSync(folder).flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Record<string, string>).map(
        ([english, translation]) => [translation, english] as const,
      ),
    ),
  )
let englishTexts: ReturnType<typeof readEnglishTexts> | undefined

/** The English words of a prompt that the page offers in another language; the rules know English alone. */
export function inEnglish(message: string): string {
  englishTexts ??= readEnglishTexts()
  return englishTexts.get(message.trim()) ?? message
}
