import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { useRight } from '../lib/account/account-queries.ts'
import { showToast } from './ui/toast.ts'

/**
 * Adds files, for every button, drop and paste that does so. Where the user's groups forbid files, none is added, and a toast says why.
 * @param add must be stable; returns whether all were added
 * @returns whether the user may add files, and the function that adds them
 */
export function useAddFiles<Chosen>(add: (files: readonly Chosen[]) => boolean) {
  const mayAdd = useRight('upload')
  const addFiles = useCallback(
    (files: readonly Chosen[]): boolean => {
      if (mayAdd) return add(files)
      showToast('warning', t`Your group may not add files. Please ask an administrator.`, {
        id: 'files-refused',
      })
      return false
    },
    [add, mayAdd],
  )
  return { mayAdd, addFiles }
}
