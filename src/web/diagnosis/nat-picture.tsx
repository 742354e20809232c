import { useTranslation } from "react-i18next";
import type { StunDiagnosis } from "../../shared/api/stun-diagnosis.ts";
import classes from "./diagnosis.module.css";

const SHOWN = 3;

/** This machine, the NAT with its public address, and which port each server was shown. */
export function NatPicture({ found }: { found: StunDiagnosis }) {
  const { t } = useTranslation("diagnosis");
  const { mapping, public_ip: ip, servers } = found;
  const answered = servers.filter(({ public_port: port }) => port !== null).slice(0, SHOWN);
  const ports = new Set(answered.map(({ public_port: port }) => port));
  return (
    <div
      className={classes.picture}
      role="img"
      aria-label={t("picture.said", {
        ip,
        ports: answered.map(({ server, public_port: port }) => `${server} → ${port}`).join(", "),
      })}
    >
      <span className={classes.box}>{t("picture.machine")}</span>
      <span className={classes.arrow}>→</span>
      <span className={classes.box} data-nat={mapping !== "none" || undefined}>
        {t(mapping === "none" ? "picture.noNat" : "picture.nat")}
        <code>{ip}</code>
      </span>
      <span className={classes.arrow}>→</span>
      <span className={classes.ports}>
        {answered.map(({ server, public_port: port }) => (
          <span key={server} className={classes.port} data-differs={ports.size > 1 || undefined}>
            <b>:{port}</b> {t("picture.seenBy", { server })}
          </span>
        ))}
      </span>
    </div>
  );
}
