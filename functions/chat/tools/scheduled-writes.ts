import type { RunSchedule } from '../../conversations/store/run.ts'
import { fingerprintTool, type Tool } from '../../tools/calls/tool.ts'

/**
 * Whether the person of a schedule has approved in advance that its runs call a tool: this very one, as it was then. Only tools of connections
 * can be: what changes memories or schedules asks each time.
 */
export const isApprovedFor = ({ writes }: RunSchedule, tool: Tool): boolean =>
  tool.integration !== undefined &&
  writes.some(({ name, fingerprint }) => name === tool.name && fingerprint === fingerprintTool(tool))
