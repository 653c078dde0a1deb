import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { useSearchParams } from '../../../lib/navigation/router.tsx'
import { useDebounced } from '../../../lib/browser/use-debounced.ts'
import { useInput } from '../../../lib/input/use-input.ts'

/** A pause in typing, after which the service is asked. */
const debounceMs = 300

/** The text that users are searched by, in its field and in the URL. */
export function useUserSearch() {
  const [params, setParams] = useSearchParams()
  const urlQuery = params.get('query') ?? ''
  const input = useInput(useId(), { stored: urlQuery, onLeave: 'forget' })
  const text = input.value
  /** the last query that this page wrote to the URL, or took from it */
  const knownQuery = useRef(urlQuery)
  const showUrlQuery = useEffectEvent(() => {
    // a link or the browser's Back has changed the URL, not this page
    if (urlQuery !== knownQuery.current) input.change(urlQuery)
    knownQuery.current = urlQuery
  })
  useEffect(() => showUrlQuery(), [urlQuery])
  const term = useDebounced(text.trim(), debounceMs)

  // while the user is typing, the debounced term lags behind the text
  const mustUpdateUrl = term === text.trim() && term !== urlQuery
  useEffect(() => {
    if (!mustUpdateUrl) return
    knownQuery.current = term
    setParams(term === '' ? {} : { query: term }, { replace: true })
  }, [mustUpdateUrl, term, setParams])

  return {
    input,
    /** the text that is searched, once the user pauses typing */
    term,
    urlQuery,
    isTyping: term !== text.trim(),
  }
}
