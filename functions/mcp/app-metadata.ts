import * as z from 'zod'
import { appMimeType, appsExtensionId } from '#shared/mcp-apps.ts'
import { parseEnv } from '../platform/env.ts'
import type { ServerTool } from './list-tools.ts'
import type { StoredTool } from './tool-list-repository.ts'

/** MCP_APPS of the environment: off, apps are not declared to servers, and none is shown. */
const mcpApps = z.enum(['on', 'off']).default('on')

/** Whether the deployment shows apps of MCP servers. */
export const areAppsEnabled = (): boolean => parseEnv({ MCP_APPS: mcpApps }).MCP_APPS === 'on'

/** The client's extension of SEP-1865: servers list tools with apps to clients that show them. */
export const declareApps = () => (areAppsEnabled() ? { [appsExtensionId]: { mimeTypes: [appMimeType] } } : {})

const maxUriCharacters = 1_000

/** Whether an address is one of an app: `ui://`, printable ASCII. */
export const isAppUri = (uri: string) => uri.length <= maxUriCharacters && /^ui:\/\/[\x21-\x7e]+$/.test(uri)

type UiMetadata = NonNullable<NonNullable<ServerTool['_meta']>['ui']>

/** What a tool declares about apps; untrusted. If its visibility names neither the model nor apps, nobody may call it. */
export function readAppMetadata({ resourceUri, visibility }: UiMetadata = {}): Pick<
  StoredTool,
  'appUri' | 'visibility'
> {
  return {
    ...(resourceUri !== undefined && isAppUri(resourceUri) && { appUri: resourceUri }),
    ...(visibility && { visibility: (['model', 'app'] as const).filter((one) => visibility.includes(one)) }),
  }
}

/** SEP-1865: a tool that does not say otherwise may be called by the model and by apps of its server. */
export const isVisibleTo = ({ visibility }: StoredTool, caller: 'model' | 'app') =>
  visibility?.includes(caller) ?? true
