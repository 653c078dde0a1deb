import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { useAuth } from './auth-context.ts'
import type { AuthLink } from './auth-link.ts'
import { discardHostedSignIn, refuseHostedSignIn } from './hosted-sign-in.ts'
import type { useAuthFlow } from './use-auth-flow.ts'
import { recoveryToastId } from './use-password-reset.ts'

/** Follows the link with which the page was opened, once, and shows a toast for those that need one. */
export function useLinkHandling(
  link: AuthLink | undefined,
  {
    confirmByLink,
    completeSignInAtProvider,
  }: Pick<ReturnType<typeof useAuthFlow>, 'confirmByLink' | 'completeSignInAtProvider'>,
): void {
  const isSignedIn = useAuth().state.status === 'signed-in'
  const isHandled = useRef(false)
  useEffect(() => {
    if (!link || isHandled.current) return
    isHandled.current = true
    showLinkToast(link, isSignedIn)
    if (link.kind === 'failed' || link.kind === 'refused') {
      if (link.isAccountRefused) refuseHostedSignIn()
      else discardHostedSignIn()
    }
    if (link.kind === 'confirm') void confirmByLink(link.code)
    if (link.kind === 'hosted') void completeSignInAtProvider(link)
  }, [link, confirmByLink, completeSignInAtProvider, isSignedIn])
}

/** Shows the result of a link. @param isSignedIn a signed-in user does not see the sign-in form, which shows refusals */
function showLinkToast(link: AuthLink, isSignedIn: boolean): void {
  if (link.kind === 'failed' || (link.kind === 'refused' && isSignedIn))
    showToast('error', link.userMessage, { cause: link.cause })
  if (link.kind === 'confirmed')
    showToast('success', t`Email Confirmed`, { description: t`You can sign in now.` })
  if (link.kind !== 'recovery') return
  const description =
    link.code === '' || link.email === ''
      ? t`Enter your e-mail address, then choose “Forgot your password?”.`
      : t`Choose a new password.`
  showToast('success', t`Password Reset`, { id: recoveryToastId, description })
}
