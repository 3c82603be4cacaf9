import { installedCountryFile } from "../platform/location/installed-file.ts";

/** The configuration of tests. Nothing listens at its URLs, so a test that needs a bucket or a mail server starts one. */
process.env.TOKEN_KEYS = `test:${Buffer.alloc(32, 7).toString("base64url")}`;
process.env.ENCRYPTION_KEYS = `test:${Buffer.alloc(32, 9).toString("base64url")}`;
process.env.AUDIT_KEYS = `test:${Buffer.alloc(32, 11).toString("base64url")}`;
process.env.QUEUE_URL = "https://127.0.0.1:1/work";
process.env.APP_URL = "http://localhost:4000";
process.env.MAIL_FROM = "svc <no-reply@svc.test>";
process.env.SMTP_URL = "smtp://127.0.0.1:1";
process.env.STORAGE_ACCESS_KEY_ID = "AKIATEST";
process.env.STORAGE_SECRET_ACCESS_KEY = "secret";
process.env.STORAGE_REGION = "eu-central-2";
process.env.STORAGE_ENDPOINT = "http://127.0.0.1:1";
process.env.STORAGE_FORCE_PATH_STYLE = "true";
process.env.COUNTRY_FILE = installedCountryFile();
process.env.RATES_ECB_URL = "http://127.0.0.1:1";
process.env.RATES_NBP_URL = "http://127.0.0.1:1";
process.env.POWERTOOLS_LOG_LEVEL = "SILENT";
