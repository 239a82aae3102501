import { useFormats, useMessages } from '../app/context.ts'
import { Badge } from '../components/feedback.tsx'
import { RowFilter } from '../components/row-filter.tsx'
import { Table } from '../components/table.tsx'
import { dashboardMessages } from '../messages/tables.ts'
import { LiveView, useLiveQuery } from '../platform/live-view.tsx'

/** A request of the account, as `/platform/requests` lists it. */
interface LoggedRequest {
  readonly at: number
  readonly url: string
  readonly status: number
  readonly ms: number
  readonly requestId: string
  readonly keyName: string
}

/** The service collects requests once a second. */
const REFRESH_SECONDS = 5

/** The last hundred requests of the account, newest first. */
export function RequestLog() {
  const format = useFormats()
  const t = useMessages(dashboardMessages).requests
  const live = useLiveQuery<{ requests: LoggedRequest[] }>('/requests', { everySeconds: REFRESH_SECONDS })
  return (
    <section class="stack">
      <h2>{t.title}</h2>
      <p class="soft">{t.lead}</p>
      <LiveView of={live} height="10rem" isStaleSaid={true}>
        {({ requests }) =>
          requests.length === 0 ? (
            <p class="soft">{t.none}</p>
          ) : (
            <RowFilter
              rows={requests}
              textsOf={({ url, status, keyName, requestId }) => [status, url, keyName, requestId]}
              label={t.search}
            >
              {(found) => (
                <Table caption={t.title} isRecords={true} head={[t.at, t.status, t.address, t.time, t.key, t.id]}>
                  {found.map(({ at, url, status, ms, requestId, keyName }) => (
                    <tr key={requestId}>
                      <td data-label={t.at} class="nowrap">
                        {format.second(at)}
                      </td>
                      <td data-label={t.status}>
                        <Badge kind={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
                      </td>
                      <td data-label={t.address} class="request-address">
                        <code>{url}</code>
                      </td>
                      <td data-label={t.time} class="nowrap">
                        {format.milliseconds(ms)}
                      </td>
                      <td data-label={t.key}>{keyName}</td>
                      <td data-label={t.id}>
                        <code>{requestId}</code>
                      </td>
                    </tr>
                  ))}
                </Table>
              )}
            </RowFilter>
          )
        }
      </LiveView>
    </section>
  )
}
