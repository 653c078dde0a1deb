import { appPolicy, type AppDomains } from '#shared/mcp-apps.ts'
import { frameScript, frameScriptHash } from './frame-script.ts'

/** The storage and cookies of a preview while its panel is open, as its frame has sent them. Only frames read it. */
export type PreviewStorage = Record<string, unknown>

/** The user's answers to the dialogs that a document opened while it was loading, in their order. */
export type PreviewAnswers = readonly (string | boolean | null)[]

/** An import map is JSON, so it has no `<` but in its texts. */
const importMap = /<script\s[^>]{0,200}?\btype\s{0,9}=\s{0,9}["']?importmap\b[^>]{0,200}>([^<]*)<\/script/gi

/** The source expressions of the import maps of a document, as `frameScript` writes them. */
const hashImportMaps = (html: string) =>
  Promise.all(
    [...html.matchAll(importMap)].flatMap(([, text = '']) => {
      try {
        const { imports, scopes, integrity } = JSON.parse(text) as Record<string, unknown>
        return [hashSource(JSON.stringify({ imports, scopes, integrity }))]
      } catch {
        return []
      }
    }),
  )

async function hashSource(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `'sha256-${btoa(String.fromCodePoint(...new Uint8Array(digest)))}'`
}

/**
 * A policy that lets the parser run `frameScript` and files of the app's own hosts only, and makes every conversion of text to markup ask
 * it (trusted types), also in inner frames. Eval and `blob:` are how `frameScript` runs the scripts of the document: another frame can use
 * neither. Not `strict-dynamic`: with it, in any policy, WebKit lets modules come from everywhere.
 */
const scriptPolicy = (resource: readonly string[], maps: readonly string[]) =>
  `script-src ${[frameScriptHash, ...maps, "'unsafe-eval'", 'blob:', ...resource].join(' ')}; require-trusted-types-for 'script'; trusted-types default`

/** Serialises a value as JSON without `<`, so that it can stand in a script element. */
const toInertJson = (value: unknown) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)

/** A document for the sandbox. */
export interface FrameDocument {
  /** the untrusted document */
  html: string
  /** what it may load and reach */
  domains: AppDomains
  /** the labels of the buttons of its dialogs */
  labels: { ok: string; cancel: string }
  /** only of previews: the storage and answers of the documents before. Previews also tell the page what they could not load */
  preview?: { storage: PreviewStorage; answers: PreviewAnswers }
}

/** Creates the parameters of `ui/notifications/sandbox-resource-ready`: the document, wrapped in `frameScript`, and its policy. */
export async function createFrameDocument({ html, domains, labels, preview }: FrameDocument): Promise<{
  html: string
  policy: string
}> {
  const data = {
    html,
    labels,
    /** whether scripts may be loaded from other origins, so that later scripts wait for them */
    loads: domains.resource.length > 0,
    ...(preview && { preview: true, ...preview }),
  }
  return {
    policy: appPolicy(domains),
    html:
      `<meta http-equiv="Content-Security-Policy" content="${scriptPolicy(domains.resource, await hashImportMaps(html))}">` +
      `<script type="application/json">${toInertJson(data)}</script><script>${frameScript}</script>`,
  }
}
