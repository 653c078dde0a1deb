import { useState } from 'react'
import { languages } from '../../lib/language.ts'
import { reloadPage } from '../../lib/reload-page.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'
import { Select } from '../../components/ui/select-field.tsx'
import * as texts from './language-texts.ts'

/** Also read by public/theme.js, which applies the language before the first paint. */
const storageKey = 'juno.language'

/** A language's own name: 'Português (Brasil)'. */
function formatOwnName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** Stores the language for this browser, or '' for the browser's, and reloads the page, which asks about unsaved changes. */
function selectLanguage(language: string): void {
  if (language === '') removeStored('local', storageKey)
  else writeStored('local', storageKey, language)
  // a choice ends a visit in another language
  removeStored('session', storageKey)
  const url = new URL(location.href)
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
  reloadPage()
}

/** The languages of the page, by their own names. */
export function LanguageChoice({ label }: { label: string }) {
  const [chosen, setChosen] = useState(() => readStored('local', storageKey) ?? '')
  return (
    <Select
      aria-label={label}
      value={languages.includes(chosen) ? chosen : ''}
      options={[
        { value: '', label: texts.ofBrowser },
        ...languages.map((language) => ({
          value: language,
          label: formatOwnName(language),
          lang: language,
        })),
      ]}
      onChange={(value) => {
        setChosen(value)
        selectLanguage(value)
      }}
      className="sm:w-60"
    />
  )
}
