import { t } from '@lingui/core/macro'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Select } from '../../components/ui/select-field.tsx'
import { accountLanguageKey, languageKey, readAccountLanguage } from '../../lib/account/account-language.ts'
import { saveSettings } from '../../lib/account/save-settings.ts'
import { canReloadSilently, reloadPage } from '../../lib/browser/reload-page.ts'
import { readStored, removeStored, writeStored } from '../../lib/browser/storage.ts'
import { unsavedState } from '../../lib/input/leave-guard.ts'
import { languages } from '../../lib/text/language.ts'

/** On the window itself, where `capture` puts a listener before those that make the browser ask. */
const first = { capture: true, once: true } as const
const silence = (event: Event) => event.stopImmediatePropagation()

/**
 * Reloads the page: at once, or after the user has agreed to lose what is not saved or uploaded.
 * @param reload may do something else first, such as storing a choice
 */
function requestReload(reload: () => void): void {
  if (canReloadSilently()) return reload()
  const leave = () => {
    // the user has agreed: the browser need not ask again. Offline no reload follows, and the next question counts
    if (navigator.onLine) addEventListener('beforeunload', silence, first)
    reload()
  }
  unsavedState.setState({ isUnsaved: true, leave })
}

/** A language's own name: 'Português (Brasil)'. */
function formatOwnName(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}

/** Set when the page reloads for a choice, so that the focus then returns to it. */
const chosenKey = 'juno.language-chosen'

/** How long the reload waits for the account to be saved. In this browser the language applies even if that fails. */
const maxSavingMs = 3_000

/**
 * Stores the language for this browser and with the account, or '' for the browser's, and reloads the page.
 * @param isNewest whether no other language was chosen since: its choice is saved after this one, and reloads the page
 */
async function selectLanguage(
  queryClient: QueryClient,
  language: string,
  isNewest: () => boolean,
): Promise<void> {
  if (language === '') removeStored('local', languageKey)
  else writeStored('local', languageKey, language)
  // stored again once the account has been loaded with the new language
  removeStored('local', accountLanguageKey)
  // a choice ends a visit in another language
  removeStored('session', languageKey)
  const saving = saveSettings(queryClient, { language }).catch(() => undefined)
  await Promise.race([saving, new Promise((resolve) => setTimeout(resolve, maxSavingMs))])
  if (!isNewest()) return
  const url = new URL(location.href)
  url.searchParams.delete('lang')
  history.replaceState(history.state, '', url)
  // offline the page does not reload
  if (navigator.onLine) writeStored('session', chosenKey, 'true')
  reloadPage()
}

/** The choice of the page's language. Each is listed by its own name. */
export function LanguageChoice({ label }: { label: string }) {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(() => readStored('local', languageKey) ?? readAccountLanguage() ?? '')
  const select = useRef<HTMLSelectElement>(null)
  const newestChoice = useRef(0)
  // an arrow key chooses the next language at once: without the focus, the following one would scroll the page
  useEffect(() => {
    if (readStored('session', chosenKey) === null) return
    removeStored('session', chosenKey)
    select.current?.focus()
  }, [])
  return (
    <Select
      ref={select}
      aria-label={label}
      value={languages.includes(chosen) ? chosen : ''}
      options={[
        { value: '', label: t`Browser’s language` },
        ...languages.map((language) => ({
          value: language,
          label: formatOwnName(language),
          lang: language,
        })),
      ]}
      // nothing is stored before the user has agreed to the reload
      onChange={(value) =>
        requestReload(() => {
          setChosen(value)
          const choice = ++newestChoice.current
          void selectLanguage(queryClient, value, () => choice === newestChoice.current)
        })
      }
      className="sm:w-60"
    />
  )
}
