import clsx from 'clsx'
import { useState } from 'react'
import { inputClass } from '../../components/ui/field.tsx'
import { SelectArrow } from '../../components/ui/select-field.tsx'
import { languages } from '../../lib/language.ts'
import { reloadPage } from '../../lib/reload-page.ts'
import { readStored, removeStored, writeStored } from '../../lib/storage.ts'
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
    <span className="relative block sm:w-60">
      <select
        aria-label={label}
        value={languages.includes(chosen) ? chosen : ''}
        onChange={({ target: { value } }) => {
          setChosen(value)
          selectLanguage(value)
        }}
        className={clsx(inputClass, 'h-11 appearance-none pe-9')}
      >
        <option value="">{texts.ofBrowser}</option>
        {languages.map((language) => (
          <option key={language} value={language} lang={language}>
            {formatOwnName(language)}
          </option>
        ))}
      </select>
      <SelectArrow />
    </span>
  )
}
