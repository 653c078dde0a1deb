import { appPolicy, type AppDomains } from '#shared/mcp-apps.ts'
import { frameScript, frameScriptHash } from './frame-script.ts'

/** What a preview keeps while its panel is open, as its frame last sent it: storage and cookies. Only frames read it. */
export type PreviewStorage = Record<string, unknown>

/** The answers that the user has given to the questions of a document while it was loading, in their order. */
export type PreviewAnswers = readonly (string | boolean | null)[]

/**
 * No parser runs a script but the first one, and what parses text has to ask that one, in every frame below this policy.
 * `strict-dynamic`: scripts that are added by a script may run. The other policy still says from where.
 */
const scriptPolicy = `script-src ${frameScriptHash} 'strict-dynamic'; require-trusted-types-for 'script'; trusted-types default`

/** JSON that no parser of HTML takes for markup. */
const toInertJson = (value: unknown) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)

export interface FrameDocument {
  /** the untrusted document */
  html: string
  /** what it may load and reach */
  domains: AppDomains
  /** of the buttons of its dialogs */
  labels: { ok: string; cancel: string }
  /** set for previews, which tell the page what they lack, and keep storage and answers from one document to the next */
  preview?: { storage: PreviewStorage; answers: PreviewAnswers }
}

/** The parameters of `ui/notifications/sandbox-resource-ready`: a document as the sandbox shows it, by way of `frameScript`. */
export function createFrameDocument({ html, domains, labels, preview }: FrameDocument): {
  html: string
  policy: string
} {
  const data = {
    html,
    labels,
    /** whether a script may come from elsewhere, so that others wait for it */
    loads: domains.resource.length > 0,
    ...(preview && { preview: true, ...preview }),
  }
  return {
    policy: appPolicy(domains),
    html:
      `<meta http-equiv="Content-Security-Policy" content="${scriptPolicy}">` +
      `<script type="application/json">${toInertJson(data)}</script><script>${frameScript}</script>`,
  }
}
