import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, unwrap } from '@/api/client';

/** What a site has switches for: the question for arrivals, and how strict its placement rules are. */
export type SiteSwitchKind = 'arrivals' | 'placement';

/** Turns a switch of a site on or off. */
export function useSaveSiteSwitch(siteId: string, kind: SiteSwitchKind) {
  const queryClient = useQueryClient();
  const params = { path: { id: siteId } };
  return useMutation({
    mutationFn: (isOn: boolean) =>
      unwrap(
        kind === 'arrivals'
          ? client.PUT('/api/Sites/{id}/arrivals', { params, body: { asksArrival: isOn } })
          : client.PUT('/api/Sites/{id}/placement', { params, body: { strictPlacement: isOn } }),
      ),
    // What the switch shows afterwards is the server's word.
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['sites', siteId] }),
        queryClient.invalidateQueries({ queryKey: ['today'] }),
      ]),
  });
}
