import { useQueryClient } from '@tanstack/react-query'
import { t } from '@lingui/core/macro'
import type { AdminSite } from '#shared/contracts/site.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { useFormCheck } from '../../../components/use-form-check.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { refreshSite } from '../../../lib/sign-in/site-state.ts'
import { useInput, type Input } from '../../../lib/input/use-input.ts'
import { adminKey, siteQuery } from '../admin-queries.ts'
import { findSiteProblems, toSiteChange, toSiteForm, type SiteField, type SiteForm } from './site-form.ts'

interface SentForm {
  inputs: Record<SiteField, Input<string>>
  form: SiteForm
  changed: readonly SiteField[]
}

const useField = (name: SiteField, stored: SiteForm) => useInput(`site/${name}`, { stored: stored[name] })

/**
 * The form of the site's settings: an input for each field, so that what another administrator changes meanwhile shows in the fields that
 * this one has not changed.
 */
export function useSiteForm(site: AdminSite) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  const stored = toSiteForm(site)
  const inputs: Record<SiteField, Input<string>> = {
    signUp: useField('signUp', stored),
    domains: useField('domains', stored),
    defaultGroup: useField('defaultGroup', stored),
    defaultModel: useField('defaultModel', stored),
    tokensPerDay: useField('tokensPerDay', stored),
    siteTokensPerDay: useField('siteTokensPerDay', stored),
    siteCostPerDay: useField('siteCostPerDay', stored),
    instructions: useField('instructions', stored),
    webPages: useField('webPages', stored),
    notice: useField('notice', stored),
    noticeKind: useField('noticeKind', stored),
    noticeUntil: useField('noticeUntil', stored),
  }
  const names = Object.keys(stored) as SiteField[]
  const form: SiteForm = { ...stored }
  for (const name of names) form[name] = inputs[name].value
  const changed = names.filter((name) => inputs[name].isDirty)
  const { element, problems, check, restart } = useFormCheck(findSiteProblems(form, changed))

  const { start, isBusy, error, reset } = useActionMutation('site', {
    failureTitle: t`The settings were not saved`,
    run: (sent: SentForm) =>
      withRecentSignIn(() => callApi('admin.updateSite', { body: toSiteChange(sent.form, sent.changed) })),
    onSuccess: (saved, sent) => {
      const next = toSiteForm(saved)
      queryClient.setQueryData(siteQuery.queryKey, saved)
      // the inputs of the render whose values were sent: what was entered since then stays
      for (const name of sent.changed) sent.inputs[name].markSaved(next[name])
      restart()
      // other sections show limits of people, and the log
      void queryClient.invalidateQueries({ queryKey: adminKey })
      void refreshSite()
    },
  })
  return {
    inputs,
    changed,
    /** changed by somebody else meanwhile */
    newer: names.filter((name) => inputs[name].newer !== undefined),
    element,
    problems,
    isBusy,
    error,
    save: () => {
      if (check()) start({ inputs, form, changed })
    },
    discard: () => {
      restart()
      reset()
      for (const name of names) inputs[name].reset()
    },
  }
}

export type SiteFormState = Omit<ReturnType<typeof useSiteForm>, 'element'>
