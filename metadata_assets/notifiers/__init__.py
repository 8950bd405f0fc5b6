"""Where notices go beside the log. A new channel is a module here and its config class in the union."""

from metadata_assets.notifiers.webhook import WebhookConfig

NotifierConfig = WebhookConfig
