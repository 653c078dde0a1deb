import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import { isModelAllowed } from '#shared/model-limits.ts'
import { toModelLimits } from '../../../functions/platform/group-limits.ts'
import { groupsKey, groupsRow, type GroupsRow } from '../../../functions/platform/groups-row.ts'
import { ok, warning, type Finding } from './finding.ts'
import { clientOptions } from './identity.ts'
import { findOutput, type DoctorInput } from './stacks.ts'

/** Checks that the limits of each group leave its members a model. Before the first deployment there is nothing to check. */
export async function checkGroups({ config, region, stacks }: DoctorInput): Promise<Finding[]> {
  const TableName = findOutput(await stacks, 'TableName')
  if (TableName === undefined) return []
  const client = new DynamoDBClient(clientOptions(region))
  try {
    const { Item } = await DynamoDBDocumentClient.from(client).send(
      new GetCommand({ TableName, Key: groupsKey }),
    )
    const groups: GroupsRow['groups'] = Item ? groupsRow.parse(Item).groups : {}
    const findings = Object.entries(groups).flatMap(([name, { limits }]) => {
      const allowed = toModelLimits(limits)
      // an empty list is intended
      if (allowed.models?.length === 0 || config.models.some((model) => isModelAllowed(model, allowed)))
        return []
      return [
        warning(
          allowed.priced_models_only
            ? `members of ${name} may use no model: its limit of costs excludes models without a price.`
            : `members of ${name} may use no model: those that it names are not offered.`,
          'Add price to the entries of models and deploy, or change the group on the page (/admin).',
        ),
      ]
    })
    return findings.length > 0 ? findings : [ok('each of them may use a model.')]
  } finally {
    client.destroy()
  }
}
