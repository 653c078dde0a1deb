import { useEffect } from 'react'
import { callApi } from './call-api.ts'
import { setModels, useConfig } from './config.ts'

/** Loads the models where the configuration has none: their server lists them, and only users may ask for them. */
export function useServerModels(): void {
  const config = useConfig()
  const isMissing = config !== undefined && config.models === undefined
  useEffect(() => {
    if (!isMissing) return
    const leaving = new AbortController()
    callApi('models.list', {}, { signal: leaving.signal }).then(
      ({ models }) => setModels(models),
      // without a menu the default model replies; the next page load asks again
      () => undefined,
    )
    return () => leaving.abort()
  }, [isMissing])
}
